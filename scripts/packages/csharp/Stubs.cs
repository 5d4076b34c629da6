// What generated code and its apps are built on, as far as a compiler asks: the runtime of jsii for .NET and two types of others. Nothing
// of it does anything.
using System;
using System.Runtime.CompilerServices;

namespace Amazon.JSII.Runtime.Deputy
{
    public class ByRefValue { }

    public class DeputyProps
    {
        public DeputyProps(object[] arguments = null) { }
    }

    public abstract class DeputyBase
    {
        protected DeputyBase() { }
        protected DeputyBase(ByRefValue reference) { }
        protected DeputyBase(DeputyProps props) { }

        protected T GetInstanceProperty<T>([CallerMemberName] string name = null) => default(T);
        protected void SetInstanceProperty<T>(T value, [CallerMemberName] string name = null) { }
        protected static T GetStaticProperty<T>(Type type, [CallerMemberName] string name = null) => default(T);
        protected T InvokeInstanceMethod<T>(Type[] types, object[] arguments, [CallerMemberName] string name = null) => default(T);
        protected void InvokeInstanceVoidMethod(Type[] types, object[] arguments, [CallerMemberName] string name = null) { }
        protected static T InvokeStaticMethod<T>(Type type, Type[] types, object[] arguments, [CallerMemberName] string name = null) => default(T);
        protected static void InvokeStaticVoidMethod(Type type, Type[] types, object[] arguments, [CallerMemberName] string name = null) { }
    }

    public class JsiiByValueAttribute : Attribute { public JsiiByValueAttribute(string fqn) { } }
    public class JsiiClassAttribute : Attribute { public JsiiClassAttribute(Type nativeType, string fullyQualifiedName, string parametersJson = null) { } }
    public class JsiiInterfaceAttribute : Attribute { public JsiiInterfaceAttribute(Type nativeType, string fullyQualifiedName) { } }
    public class JsiiEnumAttribute : Attribute { public JsiiEnumAttribute(Type nativeType, string fullyQualifiedName) { } }
    public class JsiiEnumMemberAttribute : Attribute { public JsiiEnumMemberAttribute(string name) { } }
    public class JsiiTypeProxyAttribute : Attribute { public JsiiTypeProxyAttribute(Type nativeType, string fullyQualifiedName) { } }
    public class JsiiOptionalAttribute : Attribute { }
    public class JsiiMethodAttribute : Attribute { public JsiiMethodAttribute(string name, string returnsJson = null, string parametersJson = null) { } }
    public class JsiiPropertyAttribute : Attribute { public JsiiPropertyAttribute(string name, string typeJson, bool isOptional = false) { } }

    [AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
    public class JsiiAssemblyAttribute : Attribute { public JsiiAssemblyAttribute(string name, string version, string tarball) { } }
}

namespace Newtonsoft.Json.Linq
{
    public class JObject { }
}

namespace System.Text.Json
{
    public static class JsonSerializer
    {
        public static string Serialize(object value) => "";
    }
}
